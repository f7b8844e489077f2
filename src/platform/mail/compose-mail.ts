import { html, type Html } from '../pages/html.js';
import { inOneLine } from './mail-faults.js';

/** A part of a mail: a paragraph, a list, or a link. */
export type Block = string | { items: readonly string[] } | { link: string };

/** A mail as plain text and as HTML. */
export interface Composed {
  subject: string;
  text: string;
  html: string;
}

const SIGNATURE = 'Sent by your workflow service.';

/** Renders blocks as plain text and as simple HTML, in which every value is escaped. */
export function composeMail(subject: string, blocks: readonly Block[]): Composed {
  const line = inOneLine(subject);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${line}</title>
      </head>
      <body style="font: 16px/1.5 sans-serif; max-width: 36em">
        ${blocks.map(asHtml)}
        <p style="color: #666">${SIGNATURE}</p>
      </body>
    </html>`;
  return { subject: line, text: [...blocks.map(asText), SIGNATURE].join('\n\n'), html: page.text };
}

function asText(block: Block): string {
  if (typeof block === 'string') return inOneLine(block);
  if ('link' in block) return block.link;
  return block.items.map((item) => `  - ${inOneLine(item)}`).join('\n');
}

function asHtml(block: Block): Html {
  if (typeof block === 'string') return html`<p>${inOneLine(block)}</p>`;
  if ('link' in block) return html`<p><a href="${block.link}">${block.link}</a></p>`;
  return html`<ul>
    ${block.items.map((item) => html`<li>${inOneLine(item)}</li>`)}
  </ul>`;
}
