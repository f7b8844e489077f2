import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  impact: string | null;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** The looks at a page that has findings. */
const LOOKS = 3;

/**
 * What axe finds on a page as it is now, a line each; nothing is left out by rule or impact. What a look finds in the middle of a change,
 * e.g. in a table that is loading again, is gone at the next one; a fault stays.
 */
export async function axe(page: Page): Promise<string[]> {
  for (let look = 1; ; look += 1) {
    const findings = await findingsOf(page);
    if (findings.length === 0 || look === LOOKS) return findings;
  }
}

async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  // Through the debugger, which no policy holds.
  await page.evaluate(source);
  const findings = await page.evaluate(async () => {
    const { violations } = await (
      globalThis as unknown as { axe: { run: () => Promise<{ violations: Finding[] }> } }
    ).axe.run();
    return violations;
  });
  return findings.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${impact} ${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ''}`,
    ),
  );
}

/**
 * Waits until colours and places have changed, and until no table is loading: in between, texts may be too pale. Endless
 * animations are no transitions. A text, so that tests outside of the dashboard need no types of the DOM.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let quiet = 0; quiet < 3; quiet += 1) {
    // A page that hears of other colours by an event begins to change a little later.
    await frame();
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    if (changes.length > 0 || document.querySelector('[data-busy]')) quiet = 0;
    await Promise.allSettled(changes.map(({ finished }) => finished));
  }
})()`;
