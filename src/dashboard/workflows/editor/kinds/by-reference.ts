/** Whether the texts of an app request name the connection of an end user. */
export function isByReference({ connection_as: as }: Readonly<Record<string, string>>): boolean {
  return as === 'reference';
}
