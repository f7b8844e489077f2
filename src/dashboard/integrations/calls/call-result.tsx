import { JsonView } from '../../ui/json/json-view.js';
import { LongText } from '../../ui/values/long-text.js';
import { type CallApplicationMutation } from './call.generated.js';
import classes from './call-section.module.css';

/** The response of an application: status, headers and body. */
export function CallResult({ result }: { result: CallApplicationMutation['callApplication'] }) {
  const { status, headers, body, truncated } = result;
  const isGood = status < 400;
  return (
    <div className={classes.result} role="status" aria-label="Response">
      <h3>
        Status <span className={isGood ? classes.good : classes.bad}>{status}</span>
      </h3>
      <h3>Headers</h3>
      <dl className={classes.headers}>
        {Object.entries(headers as Record<string, string | string[]>).flatMap(([name, value]) =>
          [value].flat().map((one, index) => (
            <div key={`${name} ${index}`}>
              <dt>{name}</dt>
              <dd>{one}</dd>
            </div>
          )),
        )}
      </dl>
      <h3>Body</h3>
      {body === null ? (
        <p className={classes.soft}>The response has no body.</p>
      ) : typeof body === 'string' ? (
        <LongText text={body} label="Body" />
      ) : (
        <JsonView value={body} label="Body" />
      )}
      {truncated && <p className={classes.soft}>Only the first megabyte is shown.</p>}
    </div>
  );
}
