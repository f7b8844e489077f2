import { getMetadataArgsStorage } from 'typeorm';

/** The class of a TypeORM entity, without constructor arguments. */
export type EntityClass<T> = new () => T;

const lists = new Map<string, string>();

/**
 * The select list of an entity under an alias, each column named as its property: `"w"."run_count" AS "runCount", …`;
 * properties in `without` are left out. @throws TypeError when the class is no entity.
 */
export function columnsOf(entity: EntityClass<object>, alias: string, without: readonly string[] = []): string {
  const key = `${entity.name}:${alias}:${without.join()}`;
  let list = lists.get(key);
  if (list === undefined) {
    const columns = getMetadataArgsStorage().filterColumns(entity);
    if (columns.length === 0) throw new TypeError(`${entity.name} has no columns.`);
    list = columns
      .filter(({ propertyName }) => !without.includes(propertyName))
      .map(({ propertyName, options }) => `"${alias}"."${options.name ?? propertyName}" AS "${propertyName}"`)
      .join(', ');
    lists.set(key, list);
  }
  return list;
}

/** Gives raw rows the entity's prototype. No copy and no transformer: getters compute what differs from the column. */
export function hydrate<T extends object>(entity: EntityClass<T>, rows: object[]): T[] {
  for (const row of rows) Object.setPrototypeOf(row, entity.prototype as object);
  return rows as T[];
}
