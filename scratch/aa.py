import csv,sys,statistics as st
a,b=[{r['id']:r for r in csv.DictReader(open(f+'/results.csv'))} for f in sys.argv[1:3]]
ra=[float(b[i]['time_us_median'])/float(a[i]['time_us_median']) for i in a if a[i]['time_us_median'] and b.get(i,{}).get('time_us_median')]
ra.sort();n=len(ra);print(n,'ratio b/a: p5 %.4f p25 %.4f median %.4f p75 %.4f p95 %.4f mean %.4f'%(ra[n//20],ra[n//4],ra[n//2],ra[3*n//4],ra[19*n//20],sum(ra)/n))
