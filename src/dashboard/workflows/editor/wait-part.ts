/** What a wait has for others: a URL that ends it, or a page on which an end user connects an application. */
export type WaitPart = 'url' | 'connect_url';
