import { type Page } from 'playwright-core';

/** Lets a page be seen in other colours and at another width. */
export async function look(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.locator(`[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}
