// How the page looks, on a screen and on paper. What only some printers of web pages know (running numbers, pages of targets) the others pass over.

const screen = `body{font:1rem/1.5 "Noto Serif","Noto Sans",Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}
h1,h2,h3,h4,h5,h6,nav{font-family:"Noto Sans",system-ui,sans-serif}
header{text-align:center}header img{max-height:6rem;max-width:18rem}header .contact{margin:.1rem 0;color:#555;font-size:.9rem}
nav ol{list-style:none;padding:0}nav li{padding-inline-start:calc(var(--depth)*1rem)}
section section{border-inline-start:2px solid #ddd;padding-inline-start:1rem;margin-block:.75rem}
h3{margin:.5rem 0 0;font-size:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.25rem 0}dt{color:#666}dd{margin:0}
.internal{background:#fff6d6}`;

const print = `@page{size:A4;margin:20mm 20mm 22mm;@bottom-center{content:counter(page);font:9pt "Noto Sans",sans-serif}}
@page:first{@bottom-center{content:none}}
@media print{body{margin:0;padding:0;max-width:none;font-size:10pt;color:#000}
header{padding-top:25vh;break-after:page}nav{break-after:page}
h1,h2,h3,h4,h5,h6,dt{break-after:avoid}p,li,dd{orphans:2;widows:2}dl{break-inside:avoid}
section section{border:0;padding-inline-start:.5rem}
nav a{color:inherit;text-decoration:none}nav a::after{content:leader(". ") target-counter(attr(href url),page)}
main a[href^=http]::after{content:" (" attr(href) ")";font-size:.9em;overflow-wrap:anywhere}
.internal{background:none;border-inline-start:3px solid #c90;padding-inline-start:.5rem}}`;

/** The style sheet, without line breaks. */
export const style = `${screen}\n${print}`.replaceAll('\n', '');
