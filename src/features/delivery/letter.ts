/** A mail, written once and shown as text and as HTML. */

/** What a mail says in turn: paragraphs, and links under their words. */
export type Part = string | { readonly words: string; readonly link: string };

export interface Letter {
  /** Without names that users choose. */
  readonly subject: string;
  readonly parts: readonly Part[];
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
  return { subject, text: `${text}\n`, html: pageOf(subject, parts, signature) };
}

const asText = (part: Part): string => (typeof part === 'string' ? part : `${part.words}:\n${part.link}`);

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

const asHtml = (part: Part): string =>
  typeof part === 'string'
    ? `<p style="margin:0 0 16px">${escaped(part)}</p>`
    : `<p style="margin:0 0 16px"><a href="${escaped(part.link)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4f91;color:#fff;text-decoration:none">${escaped(part.words)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">Or open this address: ${escaped(part.link)}</p>`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
