/** What a trigger waits for, for a list: the event of an application, else its type. */
export function triggerInWords(type: string, config: Record<string, unknown>): string {
  if (type === 'APP_EVENT' && typeof config.event === 'string') return `“${config.event}”`;
  return `A ${type.toLowerCase().replace('_', ' ')} trigger`;
}
