/** The static page; its script adds the findings. */

interface Addresses {
  readonly script: string;
  readonly style: string;
  readonly library: string;
}

/** A text field that can also be filled from files. */
const text = (id: string, label: string, hint: string, rows: number): string => `<div class="field">
<label for="${id}">${label}</label>
<p class="hint">${hint}</p>
<textarea id="${id}" rows="${rows}" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>
<input type="file" data-fills="${id}" aria-label="${label}, from files"${id === 'record' ? '' : ' multiple'}>
</div>`;

const hex = (id: string, label: string): string => `<div class="field">
<label for="${id}">${label}</label>
<input id="${id}" pattern="\\s*[0-9a-f]{64}\\s*" title="64 digits from 0 to 9 and a to f" placeholder="64 hex digits" spellcheck="false" autocomplete="off" autocapitalize="off">
</div>`;

export const verifyHtml = ({ script, style, library }: Addresses): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Verify a game · Halfmove</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1>Verify a game</h1>
<p class="lead">Verifies that a game was dealt fairly and recorded as it was played: seeds, sides, deal, every ply, the chain of hashes, and the end. Everything runs in this browser; nothing that you enter leaves it.</p>
<noscript><p class="verdict bad">This page needs JavaScript. To verify without a browser, use <code>npm run verify</code>.</p></noscript>
<form id="form" novalidate>
${text('record', 'Record of the game', 'The response of <code>GET /v1/games/ID/record</code>.', 8)}
<details id="shown">
<summary>What you were shown while you played</summary>
<p class="hint">A forged record can also be consistent. Only what you kept while playing proves that this is the game you played.</p>
<div class="field">
<label for="player">You were</label>
<p class="hint">A commitment protects only a player who had it before giving a seed, so keep the receipt of the challenge from before then.</p>
<select id="player">
<option value="">either player</option>
<option value="creator">the creator of the challenge or seek</option>
<option value="accepter">the player who accepted it</option>
<option value="first">the first player</option>
<option value="second">the second player</option>
</select>
</div>
${hex('commitment', 'Commitment, from before you gave your seed')}
${hex('dealRoot', 'Deal root')}
${hex('hash', 'Hash of the newest ply or row')}
${text('receipts', 'Receipts', 'One after the other, each with its signatures.', 4)}
${text('proofs', 'Log proofs', 'The <code>.tlog-proof</code> files of the opening and of the end.', 4)}
${text('keys', 'Keys of the server', 'From <code>/.well-known/halfmove.json</code>, preferably from a copy that is older than the game.', 3)}
</details>
<button id="verify" type="submit">Verify</button>
</form>
<section id="result" aria-live="polite" hidden>
<p id="verdict" class="verdict"></p>
<ol id="findings"></ol>
</section>
<footer>
<p>This page comes from the server that it verifies. If you do not want to trust it, build the library from the sources and compare it with <a href="${library}">${library}</a>, or run <code>npm run verify</code>. <a href="/docs">REST reference</a> · <a href="/graphiql">GraphiQL</a></p>
</footer>
</main>
<script type="module" src="${script}"></script>
</body>
</html>
`;
