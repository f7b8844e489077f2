/** Warns that joining removes a user of another account with the same, unproven address. */
export function ReplacedUser({ account }: { account: string }) {
  return <>A user with your address in “{account}” never proved it. If you join here, that user ends.</>;
}
