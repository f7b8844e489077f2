/** EX_CONFIG of sysexits.h: the exit status for settings, or a Node.js, that the service cannot run with. */
export const EXIT_CONFIG = 78;

/** The oldest Node.js that runs the service, as in `engines` of package.json. */
export const OLDEST_NODE = '22.19';

/** Why a version of Node.js cannot run the service, as a sentence for the operator; undefined for one that can. */
export function nodeFault(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `The service needs Node.js ${OLDEST_NODE} or newer, and this is ${version}. On Linux \`npm start\` uses the Node.js of the packages.`;
}
