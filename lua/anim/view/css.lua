--- How the page looks: a list beside the picture on a wide screen, over it on a narrow one.
return [==[
:root {
  --back: #f3f1ec; --front: #fffdf9; --ink: #23262b; --dim: #6c6a64; --line: #d9d5cb; --accent: #2b6fb3;
  --accent-ink: #fff; --ground: #b3ada0; --shadow: #3b362c; --left: #3f87c9; --right: #e0763a; --middle: #a69f90;
  --helper: #8d8778; --event: #b3261e; --marker: #2e7d4f; --halo: #f3f1ec;
  /*targets*/--target: #c4168f; --pole: #0b7f86;
  /*lines*/--scene: #8b93a1;
  color-scheme: light;
}
[data-theme="dark"] {
  --back: #15181d; --front: #1d2127; --ink: #e8e6e1; --dim: #9a9890; --line: #343941; --accent: #6aaae8;
  --accent-ink: #10151b; --ground: #59606b; --shadow: #000000; --left: #5aa2e6; --right: #f0894b; --middle: #b5b0a4;
  --helper: #7d8590; --event: #ff8a80; --marker: #7fd3a0; --halo: #15181d;
  /*targets*/--target: #ff7ad1; --pole: #52d6d6;
  /*lines*/--scene: #6f7b8f;
  color-scheme: dark;
}
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; background: var(--back); color: var(--ink);
  font: 14px/1.4 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
p, h1, ul, dl, dd { margin: 0; padding: 0; }
[hidden] { display: none !important; }
button, select, input { font: inherit; color: inherit; }
button { border: 1px solid var(--line); background: var(--front); border-radius: 8px; padding: 0 12px; height: 36px;
  cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--dim); }
button:focus-visible, select:focus-visible, input:focus-visible, ul:focus-visible { outline: 2px solid var(--accent);
  outline-offset: 1px; }
button.icon { width: 40px; padding: 0; display: inline-grid; place-items: center; }
svg { width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
  stroke-linejoin: round; }
svg .fill { fill: currentColor; stroke: none; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
#play .when-playing, #play[aria-pressed="true"] .when-paused { display: none; }
#play[aria-pressed="true"] .when-playing { display: inline; }

#app { height: 100vh; height: 100dvh; display: grid; grid-template: "panel stage" 1fr "panel bar" auto / 288px 1fr; }
#panel { grid-area: panel; display: flex; flex-direction: column; background: var(--front); min-height: 0;
  border-right: 1px solid var(--line); }
#panel header { padding: 14px 16px 8px; position: relative; }
#panel h1 { font-size: 16px; overflow-wrap: anywhere; padding-right: 36px; }
#about { color: var(--dim); font-size: 13px; }
#close { position: absolute; right: 8px; top: 8px; border-color: transparent; display: none; }
#search { margin: 4px 12px 8px; height: 36px; padding: 0 10px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--back); min-width: 0; }
#clips { list-style: none; overflow-y: auto; flex: 1; padding: 0 8px 8px; min-height: 60px; }
#clips li { display: flex; gap: 8px; align-items: baseline; padding: 6px 8px; border-radius: 6px; cursor: pointer; }
#clips li:hover { background: var(--back); }
#clips li[aria-selected="true"] { background: var(--accent); color: var(--accent-ink); }
#clips .name { flex: 1; overflow-wrap: anywhere; }
#clips .info { color: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; white-space: nowrap; }
#clips li[aria-selected="true"] .info { color: inherit; }
#panel details { border-top: 1px solid var(--line); padding: 8px 16px; font-size: 13px; max-height: 45%;
  overflow-y: auto; flex: none; }
#panel summary { cursor: pointer; color: var(--dim); }
#notes ul { padding: 6px 0 0 16px; overflow-wrap: anywhere; }
#help dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; padding-top: 6px; }
#help dd { color: var(--dim); }

#stage { grid-area: stage; position: relative; min-width: 0; min-height: 0; overflow: hidden; }
#view { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; outline: none; }
#view:active { cursor: grabbing; }
#head { position: absolute; inset: 12px 12px auto; display: flex; gap: 10px; align-items: center;
  pointer-events: none; }
#head button { pointer-events: auto; }
#menu { display: none; flex: none; }
#title { flex: 1; min-width: 0; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#title span { color: var(--dim); font-weight: 400; }
#views { display: flex; flex: none; }
#views button { border-radius: 0; margin-left: -1px; padding: 0 12px; }
#views button:first-child { border-radius: 8px 0 0 8px; }
#views button:last-child { border-radius: 0 8px 8px 0; }
#legend { position: absolute; left: 14px; bottom: 10px; font-size: 12px; color: var(--dim); pointer-events: none; }
#legend b { font-weight: 400; margin-right: 10px; }
#legend i { display: inline-block; width: 10px; height: 10px; border-radius: 5px; margin-right: 4px; }
/*targets*/#legend i.target { border: 2px solid var(--target); }
/*targets*/#legend i.pole { background: var(--pole); border-radius: 0; transform: rotate(45deg) scale(.8); }
#flash { position: absolute; right: 16px; bottom: 10px; font-weight: 600; color: var(--event); pointer-events: none; }
#tip { position: absolute; background: var(--ink); color: var(--back); padding: 3px 8px; border-radius: 6px;
  font-size: 12px; pointer-events: none; max-width: 70%; overflow-wrap: anywhere; white-space: pre-line; }
#fault { position: absolute; inset: auto 0 40%; text-align: center; color: var(--event); padding: 0 20px; }

#bar { grid-area: bar; padding: 8px 14px calc(10px + env(safe-area-inset-bottom)); background: var(--front);
  border-top: 1px solid var(--line); min-width: 0; }
#track { position: relative; }
#ticks { display: block; width: 100%; height: 26px; }
#scrub { display: block; width: 100%; margin: 0 0 8px; height: 20px; accent-color: var(--accent); cursor: pointer; }
#timeline { position: relative; overflow: hidden; margin: 0 0 8px; touch-action: pan-y; cursor: crosshair;
  user-select: none; -webkit-user-select: none; }
#timeline canvas { display: block; width: 100%; }
#ruler { border-bottom: 1px solid var(--line); }
#rows { overflow-y: auto; max-height: max(90px, min(36vh, 100vh - 470px)); scrollbar-width: thin; }
#moving { position: absolute; inset: 0 0 auto; pointer-events: none; }
#zoom { position: absolute; left: 0; top: 1px; width: var(--gutter); display: flex; gap: 3px; cursor: auto; }
#zoom button { height: 28px; min-width: 30px; padding: 0 6px; border-radius: 6px; }
#controls { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.group { display: flex; gap: 6px; }
#clock { font-variant-numeric: tabular-nums; min-width: 172px; white-space: nowrap; }
#clock small { color: var(--dim); font-size: 12px; margin-left: 6px; }
#clock small:not(:empty)::before { content: "frame "; }
#pace { display: flex; align-items: center; gap: 6px; color: var(--dim); }
#speed { height: 36px; border: 1px solid var(--line); border-radius: 8px; background: var(--front); padding: 0 6px;
  color: var(--ink); }
#toggles { margin-left: auto; }
#toggles button { padding: 0 9px; }

#sheet { padding: 12px; }
#sheet h2 { font-size: 15px; margin: 8px 0 2px; }
#sheet canvas { display: block; width: 100%; }

@media (max-width: 1360px) { #pace span { display: none; } }
/*targets*/@media (max-width: 1360px) { #toggles button { padding: 0 7px; } }
@media (max-width: 820px) {
  #app { grid-template: "stage" 1fr "bar" auto / 1fr; }
  #panel { position: fixed; inset: 0 auto 0 0; width: min(340px, 88vw); z-index: 2; transform: translateX(-105%);
    transition: transform .18s; visibility: hidden; box-shadow: 0 0 30px #0006; }
  #panel.open { transform: none; visibility: visible; }
  #close { display: inline-grid; }
  #menu { display: inline-grid; }
  #clips li { padding: 11px 8px; }
  #help { display: none; }
  button, #speed, #search { height: 42px; }
  button.icon { width: 42px; }
  .group { gap: 4px; }
  #speed { width: 66px; padding: 0 2px; }
  #views { position: absolute; right: 0; top: 52px; flex-direction: column; }
  #views button { padding: 0 10px; margin: -1px 0 0; }
  #views button:first-child { border-radius: 8px 8px 0 0; }
  #views button:last-child { border-radius: 0 0 8px 8px; }
  #clock { flex: 1; min-width: 0; text-align: center; line-height: 1.2; font-size: 13px; }
  #clock small:not(:empty)::before { content: ""; }
  #clock small { display: block; margin: 0; font-size: 11px; }
  #controls { gap: 8px; }
  #toggles { margin: 0 -14px; padding: 0 14px; overflow-x: auto; scrollbar-width: none; width: calc(100% + 28px); }
  #bar { padding-top: 4px; }
}
@media (prefers-reduced-motion: reduce) { #panel { transition: none; } }
]==]
