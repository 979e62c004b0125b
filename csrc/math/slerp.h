// SPDX-License-Identifier: MIT
// Slerp without trigonometric functions, for one float and for eight lanes by the same text.
//
// With c2 = |a - b|^2 / 4 = sin^2(theta / 2) the angle is theta^2 = 4 asin^2(c), and the weights
// sin(k theta) / sin(theta) are k S((k theta)^2) / S(theta^2) with S(x^2) = sin(x) / x. Both
// functions are smooth in the squares: two polynomials (Chebyshev fits, c2 up to 1/2 and theta up
// to pi/2, errors 9e-9 and 4e-9), no branch, nothing to divide by zero when a = b.
#pragma once

#define ANIM_SLERP_ARC(c2)                                                                         \
    (1.0000000048f +                                                                               \
     (c2) *                                                                                        \
         (0.3333317793f +                                                                          \
          (c2) *                                                                                   \
              (0.1778594822f +                                                                     \
               (c2) * (0.1126528316f +                                                             \
                       (c2) * (0.0973547150f +                                                     \
                               (c2) * (-0.0254174395f +                                            \
                                       (c2) * (0.3150152716f +                                     \
                                               (c2) * (-0.4030166008f + (c2)*0.3646084023f))))))))

#define ANIM_SLERP_SINC(x2)                                                                        \
    (0.9999999957f +                                                                               \
     (x2) * (-0.1666665791f +                                                                      \
             (x2) * (0.0083330493f + (x2) * (-0.0001980895f + (x2)*0.0000026049609f))))
