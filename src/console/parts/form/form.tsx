import { Group, Stack, type MantineSpacing } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { Act } from './menu.tsx';
import type { Refusal } from '../../api/refusal.ts';
import { RefusalAlert } from '../page/page.tsx';
import classes from './form.module.css';

interface FormProps {
  readonly isBusy: boolean;
  onSubmit(event: SubmitEvent<HTMLFormElement>): unknown;
  /** Maximum width in px. */
  readonly maw?: number;
  readonly gap?: MantineSpacing;
  /** Content beside the fields, or below them on narrow screens. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Form that moves focus to its first invalid field after submitting, whether the console or the server found the error. */
export function Form({ isBusy, onSubmit, maw, gap = 'md', aside, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || isBusy) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    wasSent.current = false;
    wrong.focus();
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Submitting a dialog inside a page's form must not submit that form too.
    event.stopPropagation();
    wasSent.current = true;
    onSubmit(event);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={aside ? classes.split : undefined}>
      <Stack gap={gap} {...(maw && { maw })}>
        {children}
      </Stack>
      {aside && <div className={classes.aside}>{aside}</div>}
    </form>
  );
}

/** State of the mutation that a form shows. */
export interface Sending {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
}

interface PageFormProps extends Pick<FormProps, 'maw' | 'aside' | 'children' | 'onSubmit'> {
  readonly of: Sending;
  readonly verb: string;
  /** Target of the Cancel link. */
  readonly back: string;
}

/** Form that fills a page. */
export function PageForm({ of, verb, back, children, ...form }: PageFormProps) {
  return (
    <Form isBusy={of.isBusy} {...form}>
      {children}
      <RefusalAlert refusal={of.refusal} />
      <Group gap="xs">
        <Act label={verb} primary type="submit" loading={of.isBusy} />
        <Act label="Cancel" href={back} />
      </Group>
    </Form>
  );
}

interface CardFormProps extends Pick<FormProps, 'maw' | 'children'> {
  readonly of: Sending;
  readonly verb?: string;
  /** Whether nothing has changed. */
  readonly isSame?: boolean;
  onSave(): unknown;
  onCancel?: (() => void) | undefined;
}

/** Form inside a card, which stays open after saving. */
export function CardForm({ of, verb = 'Save', isSame = false, maw, children, onSave, onCancel }: CardFormProps) {
  return (
    <Form isBusy={of.isBusy} onSubmit={() => !isSame && onSave()} gap="sm" {...(maw && { maw })}>
      {children}
      <RefusalAlert refusal={of.refusal} />
      <Group gap="xs">
        <Act label={verb} primary type="submit" loading={of.isBusy} disabled={isSame} />
        {onCancel && <Act label="Cancel" onClick={onCancel} />}
      </Group>
    </Form>
  );
}

/** Form state with validation errors by field.
 *  @param faultsOf validates what the client can check; the API validates the rest */
export function useFields<Fields extends object, Faults extends object>(
  initial: Fields | (() => Fields),
  faultsOf: (fields: Fields) => Faults,
) {
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Partial<Faults>>({});
  const set = (changes: Partial<Fields>) => setForm((before) => ({ ...before, ...changes }));
  /** Shows the validation errors. @returns whether there are none */
  const check = () => {
    const found = faultsOf(form);
    setFaults(found);
    return Object.keys(found).length === 0;
  };
  /** Value, error and change handler of a field. */
  const field = <Name extends string & keyof Fields>(name: Name) => ({
    value: form[name],
    error: new Map<string, unknown>(Object.entries(faults)).get(name) as string | undefined,
    onChange: (value: Fields[Name]) => setForm((before) => ({ ...before, [name]: value })),
  });
  return { form, set, field, faults, setFaults, check };
}

/** Changed fields only. Sending an account, even an unchanged one, would lift the restriction on entries whose owner has
 *  left. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
