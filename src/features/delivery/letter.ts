/** A mail, written once and shown as text and as HTML. */

/** A board, in the mail itself: nothing is loaded, so that nothing tells when the mail was read. */
export interface MailedBoard {
  readonly png: Buffer;
  readonly width: number;
  /** What it shows, in words. */
  readonly words: string;
}

/** What a mail says in turn: paragraphs, links under their words, small print, and boards. */
export type Part =
  | string
  | { readonly words: string; readonly link: string }
  | { readonly small: string; readonly link: string }
  | { readonly board: MailedBoard };

export interface Letter {
  /** Without names that users choose. */
  readonly subject: string;
  readonly parts: readonly Part[];
  /** Where one request ends such mails. */
  readonly unsubscribeUrl?: string;
}

/** The server, as mails show it. */
export interface Site {
  readonly url: string;
  /** Where people reach its operator, and what they agree to; null where it is not set. */
  readonly contact: string | null;
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
}

export interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: Attachment[];
}

interface Attachment {
  readonly cid: string;
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
  readonly contentDisposition: 'inline';
}

/** The letter with the signature of the server. */
export function written({ subject, parts }: Letter, site: Site): Written {
  const signature = [
    `Halfmove at ${site.url}`,
    ...(site.contact === null ? [] : [`Contact: ${site.contact}`]),
    ...(site.termsUrl === null ? [] : [`Terms: ${site.termsUrl}`]),
    ...(site.privacyUrl === null ? [] : [`Privacy: ${site.privacyUrl}`]),
  ];
  const text = [...parts.map(asText), `-- \n${signature.join('\n')}`].join('\n\n');
  const attachments = parts.flatMap((part, i) =>
    typeof part === 'object' && 'board' in part ? [attached(part.board, i)] : [],
  );
  return { subject, text: `${text}\n`, html: pageOf(subject, parts, signature), attachments };
}

/** The name of a picture within its mail. */
const cidOf = (at: number): string => `board-${at}@halfmove`;

const attached = ({ png }: MailedBoard, at: number): Attachment => ({
  cid: cidOf(at),
  filename: `board-${at}.png`,
  content: png,
  contentType: 'image/png',
  contentDisposition: 'inline',
});

function asText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('board' in part) return part.board.words;
  return `${'small' in part ? part.small : part.words}:\n${part.link}`;
}

// Styles stand in the elements, and colours are left to the reader's program, which may be dark.
const pageOf = (
  subject: string,
  parts: readonly Part[],
  signature: readonly string[],
): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:34em;margin:0 auto">
${parts.map(asHtml).join('\n')}
<p style="margin:32px 0 0;padding-top:12px;border-top:1px solid #8888;font-size:13px;opacity:.75">${signature.map(escaped).join('<br>')}</p>
</div>
</body>
</html>
`;

function asHtml(part: Part, at: number): string {
  if (typeof part === 'string') return `<p style="margin:0 0 16px">${escaped(part)}</p>`;
  if ('board' in part) return boardAsHtml(part.board, at);
  if ('small' in part)
    return `<p style="margin:0 0 4px;font-size:13px"><a href="${escaped(part.link)}">${escaped(part.small)}</a></p>`;
  return `<p style="margin:0 0 16px"><a href="${escaped(part.link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4f91;color:#fff;text-decoration:none">${escaped(part.words)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">Or open this address: ${escaped(part.link)}</p>`;
}

const boardAsHtml = ({ width, words }: MailedBoard, at: number): string =>
  `<p style="margin:0 0 16px"><img src="cid:${cidOf(at)}" width="${width}" alt="${escaped(words)}" style="max-width:100%;height:auto"></p>`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
