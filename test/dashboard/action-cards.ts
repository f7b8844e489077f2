import { type Locator, type Page } from 'playwright-core';
import { until } from '../support/until.js';

/** The cards of actions in the editor that a page shows. */
export class ActionCards {
  constructor(private readonly page: Page) {}

  get headings(): Locator {
    return this.page.getByRole('heading', { level: 3 });
  }

  /** Adds an action of a kind. @returns its card. */
  async add(kind: string, name: string): Promise<Locator> {
    const item = this.page.getByRole('menuitem', { name: kind });
    // The page may move under the pointer while the card before is still being drawn.
    await until(async () => {
      if (!(await item.isVisible())) await this.page.getByRole('button', { name: 'Add action' }).click();
      return item.click({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
    const named = this.page.getByLabel('Name', { exact: true });
    const card = this.page.getByRole('listitem').filter({ has: named }).last();
    await card.getByLabel('Name', { exact: true }).fill(name);
    return card;
  }

  async choose(card: Locator, label: string, option: string): Promise<void> {
    await card.getByRole('combobox', { name: label, exact: true }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  async openAll(): Promise<void> {
    for (const card of await this.headings.getByRole('button').all()) await card.click();
  }

  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save actions' }).click();
    await this.page.getByText('All changes are saved').waitFor();
  }

  /** That they become these, as in `1 fetch`. */
  async become(...expected: string[]): Promise<void> {
    await this.headings
      .nth(expected.length - 1)
      .filter({ hasText: expected.at(-1)!.slice(2) })
      .waitFor();
    expect((await this.headings.allInnerTexts()).map((text) => text.split('\n')[0]!.trim())).toEqual(expected);
  }
}
