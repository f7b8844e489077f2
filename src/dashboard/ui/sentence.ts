/** Completes the service's message for a field to a sentence: “must not be empty” as “Must not be empty.” */
export function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1).replace(/\.$/, '')}.`;
}
