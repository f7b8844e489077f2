/**
 * The shell script between us and PostgreSQL: `sh -c WATCHDOG name FIFO LOG postgres …`, its end of the pipe as
 * descriptor 3. It starts the server, and when nobody holds the pipe any more, stops it: fast, and after 10 s at once.
 *
 * A process may open the pipe at the very moment when the last one lets go. So the pipe loses its name first, and what
 * is read then tells whether somebody had come: who comes later finds no pipe and waits for the server to end.
 */
export const WATCHDOG = `
trap '' HUP INT TERM
umask 077
fifo=$1 log=$2
shift 2
mv -f "$log" "$log.1" 2>/dev/null
exec >"$log" 2>&1
"$@" </dev/null 3<&- &
server=$!
ended() {
  n=$1
  while [ "$n" -gt 0 ]; do
    kill -0 "$server" 2>/dev/null || return 0
    sleep 0.1
    n=$((n - 1))
  done
  return 1
}
(
  while :; do
    while read -r _; do :; done
    mv "$fifo" "$fifo.closed"
    read -r _ || break
    mv "$fifo.closed" "$fifo"
  done
  kill -INT "$server"
  ended 100 || { kill -QUIT "$server"; ended 50; } || kill -KILL "$server"
) <&3 &
guard=$!
exec 3<&-
wait "$server"
kill -KILL "$guard"
`;
