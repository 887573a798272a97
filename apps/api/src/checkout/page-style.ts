/** The look of our pages: readable, with enough contrast in light and dark, and a visible focus. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --text: #1c1d22; --quiet: #565964; --back: #eef0f4; --card: #fff; --line: #8b8f9c; --rule: #d9dbe2;
  --accent: #1f4fd1; --on-accent: #fff; --tint: #edf2ff;
  --good: #14622f; --good-tint: #e8f6ec; --bad: #a61b1b; --bad-tint: #fdecec; }
@media (prefers-color-scheme: dark) { :root {
  --text: #eceef4; --quiet: #a9adba; --back: #121318; --card: #1d1f26; --line: #6d7180; --rule: #343742;
  --accent: #8fb0ff; --on-accent: #10131c; --tint: #262c3d;
  --good: #86dfa4; --good-tint: #17301f; --bad: #ffa3a3; --bad-tint: #3a1c1f; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--back); color: var(--text);
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 28rem; margin: 0 auto; padding: 1.75rem; background: var(--card);
  border-radius: 1rem; box-shadow: 0 1px 2px #0003, 0 8px 24px #0000001a; }
p, dl, h1, fieldset { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
.seller { margin-bottom: .25rem; color: var(--quiet); font-weight: 600; }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -.01em; }
.price { font-size: 1.125rem; color: var(--quiet); }
.price strong { font-size: 2rem; line-height: 1.2; color: var(--text); letter-spacing: -.02em; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .375rem 1rem; padding: .875rem 0;
  border: solid var(--rule); border-width: 1px 0; }
dt { color: var(--quiet); } dd { margin: 0; text-align: right; font-weight: 600; }
fieldset { padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; padding: .375rem .875rem;
  border: 1px solid var(--line); margin-top: -1px; cursor: pointer; }
label:first-of-type { border-radius: .625rem .625rem 0 0; }
label:last-of-type { border-radius: 0 0 .625rem .625rem; }
label:has(:checked) { background: var(--tint); }
input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); }
button { width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 0; border-radius: .625rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
button:disabled { cursor: wait; opacity: .65; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.terms { color: var(--quiet); font-size: .9375rem; }
form { margin-bottom: 1rem; }
#sandbox { margin-bottom: .75rem; }
.note { padding: .75rem 1rem; border-radius: .625rem; background: var(--tint); }
.note:empty { margin: 0; padding: 0; }
.good { background: var(--good-tint); color: var(--good); font-weight: 600; }
.bad { background: var(--bad-tint); color: var(--bad); font-weight: 600; }
`;
