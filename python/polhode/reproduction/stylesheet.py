"""How the page looks: on a screen, on a phone, in the dark, on paper."""

STYLESHEET = """\
:root { color-scheme: light dark; --ink: #222; --pale: #666; --ground: #fff; --line: #d9d9d9; --band: #f6f6f4;
  --link: #0060a0; --good: #0b6b46; --good-ground: #e3f4ec; --near: #7a5200; --near-ground: #fdf1d3;
  --aside: #5b3f8c; --aside-ground: #efe9f8; --bad: #a32600; --bad-ground: #fde6de; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --pale: #a8a8a8; --ground: #16181a; --line: #3a3d40;
  --band: #1f2224; --link: #7cc0f0; --good: #7fd8b0; --good-ground: #12301f; --near: #f0c870; --near-ground: #352a10;
  --aside: #c8b2f0; --aside-ground: #2a2140; --bad: #ff9a78; --bad-ground: #40190d; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.8rem; line-height: 1.2; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1.1rem; margin: 2.2rem 0 .4rem; overflow-wrap: anywhere; }
h4 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
p { max-width: 48rem; margin: .4rem 0; }
a { color: var(--link); }
:target { scroll-margin-top: 1rem; }
code { font: .88em ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { background: var(--band); border: 1px solid var(--line); border-radius: 4px; padding: .5rem .7rem;
  margin: .6rem 0; white-space: pre-wrap; }
figure { margin: 1rem 0; }
figure img { display: block; max-width: 100%; width: 52rem; height: auto; background: #fff; border-radius: 4px; }
figcaption, caption { color: var(--pale); font-size: .9rem; text-align: left; padding: .3rem 0; }
.claims caption, .numbers caption, .summary caption, .unseen { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); }
ul { padding-left: 1.3rem; }
li { margin: .3rem 0; overflow-wrap: anywhere; }
.missing { color: var(--bad); }
.scroll { position: relative; overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
thead th { background: var(--band); vertical-align: bottom; }
tbody th { font-weight: 600; }
.claims tbody th, .numbers tbody th { font-weight: 400; }
.claims td, .claims th { min-width: 5.5rem; }
.claims th:first-child { min-width: 15rem; }
.claims td:nth-child(4), .claims td:nth-child(6), .numbers td:last-child { min-width: 12rem; }
.claims td:nth-child(3), .summary td, .pivot td { font-variant-numeric: tabular-nums; }
.claims td:nth-child(3) { overflow-wrap: anywhere; min-width: 12rem; }
.summary td:nth-child(n+3), .summary thead th:nth-child(n+3) { text-align: right; }
.summary thead th:nth-child(n+3) { width: 4.6rem; font-size: .92em; }
.summary tbody th { white-space: nowrap; }
.summary td:nth-child(2) { min-width: 12rem; }
.summary tbody th, .pivot tbody th { position: sticky; left: 0; background: var(--ground); }
.summary tfoot th, .summary tfoot td { font-weight: 600; border-bottom: 0; }
.pivot { font-size: .82rem; line-height: 1.35; }
.pivot td { white-space: nowrap; text-align: right; }
.pivot thead th:nth-child(n+2) { text-align: right; }
.verdict, .solid { white-space: nowrap; }
.good { color: var(--good); }
.near { color: var(--near); }
.aside { color: var(--aside); }
.bad { color: var(--bad); font-weight: 600; }
td.good { background: var(--good-ground); }
td.near { background: var(--near-ground); }
td.aside { background: var(--aside-ground); }
td.bad { background: var(--bad-ground); }
.pivot td, .pivot td.bad { color: var(--ink); font-weight: 400; }
details { font-size: .92em; font-weight: 400; color: var(--pale); }
summary { cursor: pointer; }
@media screen and (max-width: 44rem) {
  body { font-size: 15px; }
  figure { overflow-x: auto; }
  figure img { min-width: 34rem; }
  .summary th:nth-child(2), .summary td:nth-child(2) { display: none; }
  .claims, .numbers, .claims tbody, .numbers tbody, .claims tr, .numbers tr { display: block; }
  .claims thead, .numbers thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); }
  .claims tr, .numbers tr { border: 1px solid var(--line); border-radius: 4px; margin: 0 0 .8rem;
    padding: .2rem .6rem; }
  .claims tbody th, .numbers tbody th { display: block; font-weight: 600; border: 0; padding: .3rem 0; }
  .claims td, .numbers td { display: grid; grid-template-columns: 5.6rem minmax(0, 1fr); border: 0;
    padding: .15rem 0; background: none; }
  .claims td::before, .numbers td::before { content: attr(data-label); color: var(--pale); font-weight: 400; }
  .claims td[data-empty], .numbers td[data-empty] { display: none; }
}
@media print {
  :root { --ink: #000; --pale: #444; --ground: #fff; --line: #bbb; --band: #f4f4f4; --link: #000; --good: #0b6b46;
    --good-ground: #e3f4ec; --near: #7a5200; --near-ground: #fdf1d3; --aside: #5b3f8c; --aside-ground: #efe9f8;
    --bad: #a32600; --bad-ground: #fde6de; }
  body { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  a { text-decoration: none; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; }
  .pivot { font-size: 6.5pt; }
  .claims th:nth-child(n), .claims td:nth-child(n), .summary td:nth-child(n), .numbers td:last-child { min-width: 0; }
  .summary thead th:nth-child(n) { width: auto; }
  .claims th:first-child { width: 28%; }
  .claims td:nth-child(n+6) { width: 26%; }
  td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .pivot tbody th, .summary tbody th { position: static; }
  h2, h3, h4 { break-after: avoid; }
  figure, tr, li { break-inside: avoid; }
  thead { display: table-header-group; }
}
"""
