import { type Topic } from './topics.js';

/**
 * The nodes of a part of the reference without its heading: up to the next heading of the same level. Parsing runs no
 * script, and the service's renderer allows no raw HTML. @throws Error if the page or the part is missing.
 */
export async function loadSection({ page, section }: Topic): Promise<readonly Node[]> {
  const response = await fetch(`/docs/${page}`, { headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`/docs/${page} responded ${response.status}.`);
  const whole = new DOMParser().parseFromString(await response.text(), 'text/html');
  const heading = whole.getElementById(section);
  if (heading === null) throw new Error(`/docs/${page} has no part ${section}.`);
  const nodes: Element[] = [];
  for (let next = heading.nextElementSibling; next !== null && !ends(heading, next); next = next.nextElementSibling)
    nodes.push(next);
  for (const link of nodes.flatMap((node) => [...node.querySelectorAll('a')])) {
    // Links to a place on the same page too: the sheet is not that page.
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', response.url).href);
    link.target = '_blank';
    link.rel = 'noopener';
  }
  return nodes.map((node) => document.adoptNode(node));
}

/** Whether the part ends before an element: `H2` also ends before `H1`. */
function ends(heading: Element, { tagName }: Element): boolean {
  return /^H[1-6]$/.test(tagName) && tagName <= heading.tagName;
}
