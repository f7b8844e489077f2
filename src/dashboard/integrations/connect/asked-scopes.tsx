import classes from './asked-scopes.module.css';

/** The scopes that a flow requests, in the application's spelling. */
export function AskedScopes({ app, scopes }: { app: string; scopes: readonly string[] }) {
  if (scopes.length === 0) return null;
  return (
    <div>
      <h2 className={classes.title}>Permissions that {app} will ask you for</h2>
      <ScopeList scopes={scopes} />
    </div>
  );
}

/** Scopes as the application spells them. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  return (
    <ul className={classes.scopes}>
      {scopes.map((scope) => (
        <li key={scope}>
          <code>{scope}</code>
        </li>
      ))}
    </ul>
  );
}
