/** What the service says of a field goes on from its name: “must not be empty” as “Must not be empty.” */
export function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1).replace(/\.$/, '')}.`;
}
