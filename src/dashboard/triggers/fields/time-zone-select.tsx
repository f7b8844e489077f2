import { type ComboboxItem } from '@mantine/core';
import { SearchSelect } from '../../ui/forms/search-select.js';

/** All time zones that the browser knows, UTC first. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** A choice of a time zone by typing a city or region: “new york”, “berlin”. */
export function TimeZoneSelect({ value, onChange, error }: TimeZoneSelectProps) {
  const zones = ZONES.includes(value) ? ZONES : [value, ...ZONES];
  return (
    <SearchSelect
      label="Time zone"
      name="config.timezone"
      description="The time zone of the schedule. Daylight saving time is handled."
      data={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      onChange={(zone) => onChange(zone ?? 'UTC')}
      limit={80}
      filter={({ options, search, limit }) =>
        (options as ComboboxItem[]).filter(({ label }) => plain(label).includes(plain(search))).slice(0, limit)
      }
      nothingFoundMessage="No time zone has this in its name: try a large city nearby."
      error={error}
    />
  );
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[_/\s]+/g, ' ')
    .trim();
}

/** `value` is an IANA name. */
export interface TimeZoneSelectProps {
  value: string;
  onChange: (zone: string) => void;
  error: string | undefined;
}
