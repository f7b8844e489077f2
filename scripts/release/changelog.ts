/** The text below `## Unreleased`, up to the next version. @throws Error when there is none. */
export function unreleased(changelog: string): string {
  const found = /^## Unreleased\n+(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog);
  if (found === null) throw new Error('CHANGELOG.md has no section "Unreleased".');
  return found[1]!;
}

/** The changelog with what was unreleased under a version and its day (`2026-11-24`), and an empty section above. */
export function released(changelog: string, version: string, day: string): string {
  if (unreleased(changelog).trim() === '') throw new Error('CHANGELOG.md names no change since the last release.');
  return changelog.replace(/^## Unreleased\n+/m, `## Unreleased\n\n## ${version} – ${day}\n\n`);
}
