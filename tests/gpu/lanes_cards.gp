# The chart of lanes_cards.awk's lines: gnuplot -e "data='cards.txt'; out='cards.svg'; title='…'"
set terminal svg size 800,420 font "sans-serif,13" background "#ffffff"
set output out
set title title
set logscale x 2
set format x "2^{%L}"
set xlabel "elements"
set ylabel "time on the second card / on the first"
set grid ytics lc rgb "#dddddd"
set key top left
plot "<grep ^cold ".data using ($2*0.96):3:4:5 with yerrorbars pt 7 lc rgb "#0b62a4" title "cold: median, smallest and largest of a size", \
     "<grep ^warm ".data using ($2*1.04):3:4:5 with yerrorbars pt 5 lc rgb "#c0392b" title "warm", \
     1 with lines lc rgb "#888888" notitle
