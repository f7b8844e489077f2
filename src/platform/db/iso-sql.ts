/** SQL for the text of a time, as `Date.toISOString` writes it. */
export function isoSql(moment: string): string {
  return `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
