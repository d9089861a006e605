/** The style of the page, for narrow and wide windows, light and dark. */
export const verifyStyle = `:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --ink: #1d1f23; --quiet: #5d636d; --line: #d9d6cd; --field: #ffffff; --accent: #2f5d8a;
  --ok: #1e7a45; --bad: #b3261e; --open: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181c; --ink: #e8e6e1; --quiet: #a2a7b0; --line: #363a42; --field: #1e2126; --accent: #8ab8e6;
    --ok: #6fcf97; --bad: #ff8a80; --open: #f0b64d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 3rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
p { margin: 0; }
code { font: .9em ui-monospace, monospace; }
a { color: var(--accent); }
.lead { margin-bottom: 1.5rem; color: var(--quiet); }
.field { margin-bottom: 1.25rem; }
label { display: block; font-weight: 600; }
.hint { color: var(--quiet); font-size: .875rem; margin-bottom: .375rem; }
textarea, input, select { width: 100%; color: inherit; font: .875rem/1.4 ui-monospace, monospace; }
textarea, input:not([type=file]), select {
  padding: .5rem .625rem; background: var(--field); border: 1px solid var(--line); border-radius: 6px;
}
textarea { display: block; resize: vertical; }
input[type=file] { margin-top: .375rem; font: .875rem system-ui, sans-serif; color: var(--quiet); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
details { margin-bottom: 1.25rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
summary { cursor: pointer; font-weight: 600; }
details[open] > summary { margin-bottom: .5rem; }
details > .hint { margin-bottom: 1rem; }
details .field:last-child { margin-bottom: .25rem; }
button {
  padding: .625rem 1.75rem; border: 0; border-radius: 6px; background: var(--accent); color: var(--paper);
  font: 600 1rem system-ui, sans-serif; cursor: pointer;
}
#result { margin-top: 1.75rem; }
.verdict { padding: .75rem 1rem; border-left: 4px solid var(--line); background: var(--field); font-weight: 600; }
.verdict.ok { border-color: var(--ok); }
.verdict.bad { border-color: var(--bad); }
.verdict.open { border-color: var(--open); }
ol { list-style: none; margin: 1rem 0 0; padding: 0; }
li {
  display: grid; grid-template-columns: 4.5rem 11.5rem 1fr; gap: 0 .75rem; padding: .5rem 0;
  border-top: 1px solid var(--line);
}
.mark { font-weight: 600; color: var(--quiet); }
.ok > .mark { color: var(--ok); }
.bad > .mark { color: var(--bad); }
.open > .mark { color: var(--open); }
.none > .mark { font-weight: 400; }
.check { font-weight: 600; }
.detail { color: var(--quiet); font-size: .9375rem; overflow-wrap: anywhere; }
.bad > .detail { color: var(--ink); }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
@media (max-width: 40rem) {
  main { padding: 1.25rem 1rem 2rem; }
  button { width: 100%; }
  li { grid-template-columns: 1fr auto; }
  .check { order: -1; }
  .detail { grid-column: 1 / -1; }
}
`;
