import { SearchSelect } from '../../../../ui/forms/search-select.js';
import { faultAt, useEditing } from '../../editing.js';
import { TextField } from '../../values/text-field.js';
import classes from '../fields/fields.module.css';
import { useAppTypes } from './use-app-types.js';

/** The connection of an end user: its application, and the user's own id. `at` is before the names of both fields. */
export function UserConnection({ at = '' }: { at?: string }) {
  return (
    <div className={classes.pair}>
      <AppTypeSelect field={`${at}type`} />
      <TextField
        field={`${at}reference`}
        label="Reference"
        placeholder="{{ trigger.body.user_id }}"
        description="Your own id of the end user"
        required
      />
    </div>
  );
}

function AppTypeSelect({ field }: { field: string }) {
  const { action, setText } = useEditing();
  const type = action.values.texts[field] ?? '';
  const { items, state, chosen } = useAppTypes(type);
  const known = items.map((item) => ({ value: item.type, label: item.name }));
  const isUnknown = type !== '' && chosen === undefined;
  return (
    <SearchSelect
      label="Application"
      description="The user connects it"
      placeholder="Choose an application"
      data={isUnknown ? [...known, { value: type, label: state === 'all' ? `${type} (not found)` : type }] : known}
      value={type === '' ? null : type}
      onChange={(value) => setText(field, value ?? '')}
      openOnFocus={false}
      nothingFoundMessage="No application has this name."
      error={faultAt(action, `config.${field}`)}
    />
  );
}
