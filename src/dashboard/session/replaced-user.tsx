/** Says that joining ends a user of another account, which has the same address and never proved it. */
export function ReplacedUser({ account }: { account: string }) {
  return <>A user with your address in “{account}” never proved it. If you join here, that user ends.</>;
}
