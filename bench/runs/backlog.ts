/** How many jobs wait, of how many groups. */
export interface Backlog {
  jobs: number;
  groups: number;
}
