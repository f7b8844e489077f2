/** The number of waiting jobs, and of their groups. */
export interface Backlog {
  jobs: number;
  groups: number;
}
