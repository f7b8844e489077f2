import { HelpButton } from '../../ui/help/help-button.js';
import classes from './actions-editor.module.css';
import { SourceRunSelect } from './testing/source-run-select.js';
import { type Source } from '../../runs/source/use-source-run.js';

/** The heading of the list, and the run that supplies the values in its pickers. */
export function ActionsHead({ source, count }: { source: Source; count: number }) {
  return (
    <div className={classes.head}>
      <div className={classes.title}>
        <h2>Actions</h2>
        <p>
          They run from top to bottom, each time a trigger fires. <HelpButton topic="limitsOfRuns" />
        </p>
      </div>
      {count > 0 && (
        <div className={classes.source}>
          <span aria-hidden>Values from</span>
          <SourceRunSelect runs={source.runs} chosen={source.chosen} onChoose={source.choose} />
        </div>
      )}
    </div>
  );
}
