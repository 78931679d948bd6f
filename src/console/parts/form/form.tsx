import { Button, Group, Stack, type MantineSpacing } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import type { Refusal } from '../../api/refusal.ts';
import { RefusalAlert } from '../page/page.tsx';
import classes from './form.module.css';

interface FormProps {
  readonly isBusy: boolean;
  onSubmit(event: SubmitEvent<HTMLFormElement>): unknown;
  /** Greatest width in px. */
  readonly maw?: number;
  readonly gap?: MantineSpacing;
  /** Stands beside the fields, below them on narrow screens. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A form. Once it was sent, the focus moves to its first wrong field, whether the console or the server found the fault. */
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
    // A dialog opened inside a page's form must not send that one too.
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

/** What a form shows of the change that it makes. */
export interface Sending {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
}

interface PageFormProps extends Pick<FormProps, 'maw' | 'aside' | 'children' | 'onSubmit'> {
  readonly of: Sending;
  readonly verb: string;
  /** Where Cancel leads. */
  readonly back: string;
}

/** A form that is a page of its own. */
export function PageForm({ of, verb, back, children, ...form }: PageFormProps) {
  return (
    <Form isBusy={of.isBusy} {...form}>
      {children}
      <RefusalAlert refusal={of.refusal} />
      <Group gap="xs">
        <Button type="submit" loading={of.isBusy}>
          {verb}
        </Button>
        <Button variant="default" component={Link} href={back}>
          Cancel
        </Button>
      </Group>
    </Form>
  );
}

interface CardFormProps extends Pick<FormProps, 'maw' | 'children'> {
  readonly of: Sending;
  readonly verb?: string;
  /** There is nothing to save. */
  readonly isSame?: boolean;
  onSave(): unknown;
  onCancel?: (() => void) | undefined;
}

/** A form inside a card, which stays after it was saved. */
export function CardForm({ of, verb = 'Save', isSame = false, maw, children, onSave, onCancel }: CardFormProps) {
  return (
    <Form isBusy={of.isBusy} onSubmit={() => !isSame && onSave()} gap="sm" {...(maw && { maw })}>
      {children}
      <RefusalAlert refusal={of.refusal} />
      <Group gap="xs">
        <Button type="submit" loading={of.isBusy} disabled={isSame}>
          {verb}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
    </Form>
  );
}

/** What a form holds, and what is wrong with it by field.
 *  @param faultsOf judges the form as far as the console can before the API does */
export function useFields<Fields extends object, Faults extends object>(
  initial: Fields | (() => Fields),
  faultsOf: (fields: Fields) => Faults,
) {
  const [form, setForm] = useState(initial);
  const [faults, setFaults] = useState<Partial<Faults>>({});
  const set = (changes: Partial<Fields>) => setForm((before) => ({ ...before, ...changes }));
  /** Shows the faults. @returns whether there are none */
  const check = () => {
    const found = faultsOf(form);
    setFaults(found);
    return Object.keys(found).length === 0;
  };
  return { form, set, faults, setFaults, check };
}

/** Those fields that differ. Naming an account, even the same, would lift what limits the entries of owners who left. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const old = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(old.get(key)) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed) as Partial<Fields>;
}
