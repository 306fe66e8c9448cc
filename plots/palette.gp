# Sets cell shades from 0 (light) to 1 (dark), in even brightness steps that remain distinct in
# grayscale print, and the color of the text in a cell. A cell with the shade 0.705 has a contrast
# of 4.5 with both text colors.
set palette defined (0 '#F7F4E9', 0.25 '#C5DDB8', 0.5 '#6FB3A8', 0.75 '#2F7295', 1 '#1B2F63')
ink(shade) = shade > 0.705 ? 0xFFFFFF : 0x000000
