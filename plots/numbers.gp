# Counts on axes look like this: 500, 5000, 50k, 500k, 5M, 5G, 5T.
number(v) = abs(v) < 9999.5 ? sprintf('%g', v) : abs(v) < 999.95e3 ? sprintf('%gk', v / 1e3) : \
            abs(v) < 999.95e6 ? sprintf('%gM', v / 1e6) : abs(v) < 999.95e9 ? sprintf('%gG', v / 1e9) : sprintf('%gT', v / 1e12)
