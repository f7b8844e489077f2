import { Skeleton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { type CombinedError } from 'urql';
import { ErrorState } from '../ui/pages/error-state.js';
import { type Icon } from '../ui/icons/icon.js';
import classes from './card.module.css';

/** A titled short list of the overview, including its loading, empty and failed states. */
export function Card<Row extends { id: string }>(props: CardProps<Row>) {
  const { title, area, rows, size, children, error, onRetry, more } = props;
  const id = useId();
  return (
    <section className={classes.card} style={{ gridArea: area }} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {more !== undefined && <Link to={more.to}>{more.label}</Link>}
      </div>
      {rows === undefined && error !== undefined && <ErrorState error={error} onRetry={onRetry} />}
      {rows === undefined && error === undefined && <Waiting rows={size} />}
      {rows?.length === 0 && <None {...props.none} />}
      {rows !== undefined && rows.length > 0 && (
        <ul className={classes.rows}>
          {rows.map((row) => (
            <li key={row.id}>{children(row)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function None({ icon: Icon, text, tone }: CardProps<{ id: string }>['none']) {
  return (
    <p className={classes.none}>
      <Icon size={17} stroke={1.8} aria-hidden data-tone={tone} />
      {text}
    </p>
  );
}

function Waiting({ rows }: { rows: number }) {
  return (
    <ul className={classes.rows} aria-hidden>
      {Array.from({ length: rows }, (_, index) => (
        <li key={index} className={classes.waiting}>
          <Skeleton height={11} width="45%" radius="sm" />
          <Skeleton height={9} width="70%" radius="sm" />
        </li>
      ))}
    </ul>
  );
}

/** `rows` is undefined until the first response; `size` is the usual number of rows; `area` is the card's grid area. */
export interface CardProps<Row extends { id: string }> {
  title: string;
  area: string;
  rows: readonly Row[] | undefined;
  size: number;
  children: (row: Row) => ReactNode;
  error: CombinedError | undefined;
  onRetry: () => void;
  /** The empty state. */
  none: { icon: Icon; text: ReactNode; tone?: 'good' };
  more?: { to: string; label: string } | undefined;
}
