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

/** What axe finds on a page as it is now, a line each; nothing is left out by rule or impact. */
export async function axe(page: Page): Promise<string[]> {
  await settle(page);
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

/** Waiting until colours and places have changed: in between, texts may be too pale. What goes on without end is not waited for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let quiet = 0; quiet < 3; quiet += 1) {
      // A page that hears of other colours by an event begins to change a little later.
      await frame();
      const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      if (changes.length > 0) quiet = 0;
      await Promise.allSettled(changes.map(({ finished }) => finished));
    }
  });
}
