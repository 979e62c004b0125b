--- The skeleton of the page; {{...}} is filled by view/page.lua.
return [==[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{{title}}</title>
<style>{{css}}</style>
</head>
<body>
<div id="app">
<aside id="panel" aria-label="Clips">
  <header>
    <h1>{{title}}</h1>
    <p id="about"></p>
    <button id="close" class="icon" aria-label="Close the list"><svg viewBox="0 0 24 24"><path
      d="M6 6 18 18M18 6 6 18"/></svg></button>
  </header>
  <input id="search" type="search" placeholder="Find a clip" aria-label="Find a clip" autocomplete="off">
  <ul id="clips" role="listbox" aria-label="Clips" tabindex="0"></ul>
  <details id="notes" hidden><summary></summary><ul></ul></details>
  <details id="help"><summary>Keys</summary><dl>
    <dt>Space</dt><dd>play, pause</dd>
    <dt>← →</dt><dd>one frame back, on</dd>
    <dt>↑ ↓</dt><dd id="updown">clip before, after</dd>
    <dt>/</dt><dd>find a clip</dd>
    <dt>1 2 3</dt><dd>front, side, three-quarter</dd>
    <dt>0</dt><dd>fit into the picture</dd>
    <dt>[ ]</dt><dd>slower, faster</dd>
    <dt>R L</dt><dd>backwards, repeat</dd>
    <dt>N T F</dt><dd>names, trails, follow</dd>
    <dt>Drag</dt><dd>turn; with Shift or the right button: move</dd>
    <dt>Wheel, pinch</dt><dd>zoom</dd>
  </dl></details>
</aside>
<main id="stage">
  <canvas id="view" aria-label="The figure"></canvas>
  <div id="head">
    <button id="menu" class="icon" aria-label="Clips"><svg viewBox="0 0 24 24"><path
      d="M4 6h16M4 12h16M4 18h16"/></svg></button>
    <p id="title"></p>
    <div id="views" role="group" aria-label="View">
      <button data-view="front">Front</button><button data-view="side">Side</button><button
        data-view="quarter">¾</button><button id="fit">Fit</button>
    </div>
  </div>
  <p id="flash" aria-hidden="true"></p>
  <p id="legend"></p>
  <p id="tip" hidden></p>
  <p id="fault" role="alert" hidden></p>
</main>
<footer id="bar">
  <div id="timeline" hidden>
    <canvas id="ruler" aria-hidden="true"></canvas>
    <div id="zoom" role="group" aria-label="Time line"><button id="farther" aria-label="Show more time"
      title="Show more time (−)">−</button><button id="nearer" aria-label="Show less time"
      title="Show less time (+)">+</button><button id="whole" title="Show all of it">All</button></div>
    <div id="rows"><canvas id="lanes" role="img" aria-label="Weights, parameters, events and states over time"></canvas>
    </div>
    <canvas id="moving" aria-hidden="true"></canvas>
  </div>
  <div id="track">
    <canvas id="ticks" aria-hidden="true"></canvas>
    <input id="scrub" type="range" min="0" max="1" step="any" value="0" aria-label="Time">
  </div>
  <div id="controls">
    <div class="group">
      <button id="back" class="icon" aria-label="One frame back" title="One frame back (←)"><svg
        viewBox="0 0 24 24"><path class="fill" d="M7 5h2v14H7zM18 5v14l-8-7z"/></svg></button>
      <button id="play" class="icon main" aria-label="Play" title="Play, pause (Space)"><svg
        viewBox="0 0 24 24"><path class="fill when-paused" d="M7 4v16l13-8z"/><path class="fill when-playing"
        d="M6 5h4v14H6zM14 5h4v14h-4z"/></svg></button>
      <button id="next" class="icon" aria-label="One frame on" title="One frame on (→)"><svg
        viewBox="0 0 24 24"><path class="fill" d="M15 5h2v14h-2zM6 5v14l8-7z"/></svg></button>
      <button id="loop" class="icon toggle" aria-label="Repeat" title="Repeat (L)"><svg viewBox="0 0 24 24"><path
        d="M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4"/></svg></button>
    </div>
    <output id="clock"></output>
    <label id="pace"><span>Speed</span> <select id="speed" aria-label="Speed"></select></label>
    <div class="group" id="toggles">
      <button id="names" class="toggle" title="Joint names (N)">Names</button>
      <button id="trails" class="toggle" title="Paths of feet and hands (T)">Trails</button>
      <button id="follow" class="toggle" title="Keep the figure in the middle (F)">Follow</button>
      <button id="helpers" class="toggle" title="Joints that are no part of the body">Helpers</button>
      <button id="up" class="toggle" title="The file's Z axis points up">Z up</button>
      <button id="theme" class="toggle" title="Light, dark">Dark</button>
    </div>
  </div>
</footer>
</div>
<div id="sheet" hidden></div>
<pre id="status" hidden></pre>
<script type="application/json" id="data">{{data}}</script>
<script>(function () {
"use strict";
{{script}}})();</script>
</body>
</html>
]==]
