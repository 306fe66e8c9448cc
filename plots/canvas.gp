# Opens the picture, W by H pixels; a PNG has twice as many for the same picture.
if (format eq 'svg') {
    set terminal svg size W,H dynamic enhanced font 'DejaVu Sans,12' background rgb 'white'
} else {
    set terminal pngcairo size 2*W,2*H enhanced font 'DejaVu Sans,9.5' fontscale 2 linewidth 2 pointscale 2 background rgb 'white'
}
set output chart.'.'.format
