import { useState } from 'react';
import { useAct } from '../api/use-api.ts';
import { done, FormDialog } from '../parts/form/dialog.tsx';
import { OneField, TextField } from '../parts/form/fields.tsx';
import { changesSince } from '../parts/form/changed-fields.ts';
import { useFields } from '../parts/form/form.tsx';
import { CreateUnitMetric, UpdateUnitMetric, type UnitMetric } from './queries.ts';

interface Props {
  /** The metric to change; absent for a new one. */
  readonly metric?: UnitMetric;
  /** Called with the ID of the saved metric. */
  onDone(id: string): void;
  onClose(): void;
}

type Fields = Pick<UnitMetric, 'name' | 'key' | 'unit' | 'direction'>;

const blank: Fields = { name: '', key: '', unit: '', direction: 'LOWER_IS_BETTER' };

const directions = [
  { value: 'LOWER_IS_BETTER', label: 'Lower cost per unit' },
  { value: 'HIGHER_IS_BETTER', label: 'Higher cost per unit' },
] as const;

/** Dialog that creates or changes a unit metric. */
export function MetricDialog({ metric: read, onDone, onClose }: Props) {
  // Keeps the first version, on which the edits are based: the metric is refetched during editing.
  const [metric] = useState(read);
  const create = useAct(CreateUnitMetric);
  const update = useAct(UpdateUnitMetric);
  const of = metric ? update : create;
  const { form, set, field, check, rest } = useFields<Fields, keyof Fields>(
    () => (metric ? fieldsOf(metric) : blank),
    faultsOf,
    {
      of,
      names: { key: ['key', 'Key'], unit: ['unit', 'Unit'], name: ['name', 'Name'] },
    },
  );
  const submit = async () => {
    if (!check()) return;
    const saved = metric ? await change(metric) : (await create.act({ input: form }))?.createUnitMetric;
    if (!saved) return;
    onDone(saved.id);
    onClose();
    done(metric ? `${saved.name} saved` : `${saved.name} created. Add its values next.`);
  };
  const change = async (before: UnitMetric) => {
    const input = changesSince(before.updatedAt, fieldsOf(before), form);
    if (Object.keys(input).length === 0) return before;
    return (await update.act({ id: before.id, input }))?.updateUnitMetric;
  };
  return (
    <FormDialog
      title={metric ? 'Edit unit metric' : 'New unit metric'}
      verb={metric ? 'Save changes' : 'Create unit metric'}
      of={{ ...of, refusal: rest }}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" withAsterisk maxLength={100} placeholder="Orders" data-autofocus {...field('name')} />
      <TextField
        label="Key"
        withAsterisk
        maxLength={64}
        placeholder="orders"
        description="Name in the API: letters, digits, “.”, “_” and “-”, ignoring case."
        {...field('key')}
      />
      <TextField
        label="Unit"
        withAsterisk
        maxLength={50}
        placeholder="order"
        description="Singular, as in “cost per order”."
        {...field('unit')}
      />
      <OneField label="Improvement" choices={directions} {...field('direction')} />
    </FormDialog>
  );
}

function fieldsOf({ name, key, unit, direction }: UnitMetric): Fields {
  return { name, key, unit, direction };
}

function faultsOf({ name, key, unit }: Fields) {
  return {
    name: name.trim() === '' && 'Enter a name',
    key: !/^[a-z][a-z0-9_.-]*$/i.test(key) && 'Enter a letter, then letters, digits, “.”, “_” or “-”',
    unit: unit.trim() === '' && 'Enter a unit',
  };
}
