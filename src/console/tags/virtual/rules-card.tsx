import { Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconGripVertical,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useValueLabel } from '../../costs/dimensions.ts';
import { IconAct } from '../../parts/form/dialog.tsx';
import { Act } from '../../parts/form/menu.tsx';
import { Card } from '../../parts/page/card.tsx';
import { counted } from '../../words/format.ts';
import { most, namedValues, newRule, type Draft, type DraftRule } from './draft.ts';
import { isFaulty, type Faults } from './faults.ts';
import { RuleFields } from './rule-fields.tsx';
import { useDrag } from './use-drag.ts';
import classes from './virtual-tags.module.css';
import { conditionsWords, ruleValueWords } from './words.ts';

interface Props {
  readonly draft: Draft;
  readonly faults: Faults;
  /** Expanded rules, by their ID in the form. */
  readonly open: ReadonlySet<number>;
  onOpen(open: ReadonlySet<number>): void;
  onChange(rules: readonly DraftRule[], at: string): void;
  /** Shown below the rules. */
  readonly children: ReactNode;
}

/** The ordered rules. Collapsed rules show a summary, so that long lists stay readable. */
export function RulesCard({ draft, faults, open, onOpen, onChange, children }: Props) {
  const { rules } = draft;
  const values = useMemo(() => namedValues(draft), [draft]);
  const [moved, setMoved] = useState('');
  const move = (index: number, to: number) => {
    const rule = rules[index];
    if (!rule || to < 0 || to >= rules.length) return;
    onChange(rules.toSpliced(index, 1).toSpliced(to, 0, rule), 'rules');
    setMoved(`Rule ${index + 1} is now rule ${to + 1} of ${rules.length}.`);
  };
  const list = useRef<HTMLOListElement>(null);
  const { gripOf, placeOf } = useDrag(list, move);
  const add = () => {
    const rule = newRule();
    onOpen(new Set([...open, rule.id]));
    onChange([...rules, rule], 'rules');
  };
  return (
    <Card title="Rules" note={`${counted(rules.length, 'rule')}; the first rule that matches a charge sets its value`}>
      <Stack gap="xs" align="stretch">
        <ol ref={list} className="plain" aria-label="Rules">
          {rules.map((rule, index) => (
            <li key={rule.id} className={classes.rule} data-drag={placeOf(index)}>
              <RuleItem
                rule={rule}
                index={index}
                values={values}
                faults={faults}
                isOpen={open.has(rule.id) || isFaulty(faults, `rules[${index}]`)}
                onOpen={(isOpen) =>
                  onOpen(new Set(isOpen ? [...open, rule.id] : [...open].filter((id) => id !== rule.id)))
                }
                onChange={(next) => onChange(rules.with(index, next), `rules[${index}]`)}
                onMove={(by) => move(index, index + by)}
                grip={rules.length > 1 ? gripOf(index) : null}
                onRemove={rules.length > 1 ? () => onChange(rules.toSpliced(index, 1), 'rules') : null}
                isLast={index === rules.length - 1}
              />
            </li>
          ))}
        </ol>
        <VisuallyHidden role="status">{moved}</VisuallyHidden>
        {faults['rules'] && (
          <Text size="xs" c="var(--bad)" role="alert">
            {faults['rules']}
          </Text>
        )}
        {rules.length < most.rules && (
          <Group>
            <Act label="Add rule" Icon={IconPlus} onClick={add} />
          </Group>
        )}
        {children}
      </Stack>
    </Card>
  );
}

interface ItemProps {
  readonly rule: DraftRule;
  readonly index: number;
  readonly values: readonly string[];
  readonly faults: Faults;
  readonly isOpen: boolean;
  readonly isLast: boolean;
  onOpen(isOpen: boolean): void;
  onChange(rule: DraftRule): void;
  onMove(by: -1 | 1): void;
  /** Handlers of the grip to drag it by; null for the only rule. */
  readonly grip: ReturnType<ReturnType<typeof useDrag>['gripOf']> | null;
  /** Null for the only rule. */
  readonly onRemove: (() => void) | null;
}

function RuleItem({ rule, index, isOpen, isLast, onOpen, onMove, grip, onRemove, ...fields }: ItemProps) {
  const labelOf = useValueLabel();
  const name = `Rule ${index + 1}`;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div role="group" aria-label={name}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {/* The buttons move it for keyboards and screen readers. */}
        {grip && (
          <span className={classes.grip} title="Drag to reorder" aria-hidden {...grip}>
            <IconGripVertical size={16} />
          </span>
        )}
        <UnstyledButton className={classes.toggle} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          <Chevron size={16} aria-hidden className={classes.chevron} />
          <span className={classes.number}>{name}</span>
          {!isOpen && (
            <span className={classes.summary}>
              <b>{ruleValueWords(rule)}</b>
              <span className={classes.if}>{conditionsWords(rule.conditions, labelOf)}</span>
            </span>
          )}
        </UnstyledButton>
        <Group gap={2} wrap="nowrap">
          {index > 0 && (
            <IconAct label={`Move rule ${index + 1} up`} tip="Move up" Icon={IconArrowUp} onClick={() => onMove(-1)} />
          )}
          {!isLast && (
            <IconAct
              label={`Move rule ${index + 1} down`}
              tip="Move down"
              Icon={IconArrowDown}
              onClick={() => onMove(1)}
            />
          )}
          {onRemove && <IconAct label={`Remove rule ${index + 1}`} tip="Remove" Icon={IconTrash} onClick={onRemove} />}
        </Group>
      </Group>
      {isOpen && (
        <div className={classes.open}>
          <RuleFields rule={rule} index={index} {...fields} />
        </div>
      )}
    </div>
  );
}
