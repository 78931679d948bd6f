import type { RecordChange, RecordFields, RecordInput } from '../kit/record-fields.ts';
import { bounded, unclearable } from './bounded.ts';
import { builder } from './builder.ts';

/** How the API shows a field: its type, its description, and what applies only to its creation or to its change. */
export interface Shown {
  readonly type: unknown;
  readonly text: string;
  readonly onCreate?: string;
  readonly onUpdate?: string;
}

/** Creates the types `Create<name>Input` and `Update<name>Input` of a record.
 *  @param noun such as `an alert rule`
 *  @param shown type and description of each field, with a note for its creation or its change */
export function recordInputs<Fields extends RecordFields>(
  name: string,
  noun: string,
  fields: Fields,
  shown: Readonly<Record<keyof Fields, Shown>>,
) {
  const all = Object.entries(fields).map(([field, spec]) => ({ field, ...spec, ...shown[field as keyof Fields] }));
  const Create = builder.inputRef<RecordInput<Fields>>(`Create${name}Input`).implement({
    description: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} to create.`,
    fields: (t) =>
      Object.fromEntries(
        all.map(({ field, kind, rule, initial, type, text, onCreate = '' }) => [
          field,
          t.field({
            ...bounded(rule),
            type,
            description: text + onCreate,
            ...((kind === 'required' || kind === 'permanent') && { required: true }),
            // A default list is described in words.
            ...(initial !== undefined && !Array.isArray(initial) && { defaultValue: initial }),
          } as never),
        ]),
      ) as never,
  });
  const Update = builder.inputRef<RecordChange<Fields>>(`Update${name}Input`).implement({
    description: `Changes to ${noun}: omitted fields stay unchanged.`,
    fields: (t) =>
      ({
        ...Object.fromEntries(
          all
            .filter(({ kind }) => kind !== 'fixed' && kind !== 'permanent')
            .map(({ field, kind, rule, type, text, onUpdate = '' }) => [
              field,
              t.field({
                ...(kind === 'clearable' ? bounded(rule) : unclearable(rule)),
                type,
                description: text + onUpdate,
              } as never),
            ]),
        ),
        ifUnmodifiedSince: t.field({
          type: 'DateTime',
          description: `The \`updatedAt\` that you have read: if ${noun.replace(/^an? /, 'the ')} has changed since, the update fails with \`CONFLICT\`. Send it with lists, and with fields that depend on others.`,
        }),
      }) as never,
  });
  return [Create, Update] as const;
}
