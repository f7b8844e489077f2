/** The categories of the catalog, each with the purpose of its applications. They are the folders of `catalog/`. */
export const CATEGORIES = {
  ai: 'Models that answer requests.',
  commerce: 'Shops, payments and bookkeeping.',
  content: 'Content that people store and edit: files, pages, tables, designs, playlists.',
  customers: 'Sales and support: contacts, deals, tickets.',
  development: 'Source code, its builds and its errors.',
  infrastructure: 'Operation of software: hosting, networks, identities, on-call duty.',
  marketing: 'Campaigns, forms and posts for an audience.',
  messages: 'Mail, chat and calls between people.',
  planning: 'Tasks, projects and calendars.',
} as const;

/** One category. */
export type Category = keyof typeof CATEGORIES;
