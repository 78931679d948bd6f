import { ActionIcon, Button, Group, Input } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { PercentInput } from '../parts/money-input.tsx';
import { mostThresholds } from './form.ts';
import classes from './budgets.module.css';

interface Props {
  readonly value: readonly (number | null)[];
  readonly error: string | null;
  onChange(thresholds: readonly (number | null)[]): void;
}

/** Percentages of the amount at which a budget alerts. */
export function ThresholdsField({ value, error, onChange }: Props) {
  const replace = (index: number, next: number | null) => onChange(value.with(index, next));
  return (
    <Input.Wrapper
      component="div"
      label="Alert at"
      labelElement="div"
      description="Percentages of the amount. Each tells once a calendar month."
      error={error}
      role="group"
      aria-label="Alert thresholds"
    >
      <div className={classes.thresholds} style={{ marginTop: 6 }}>
        {value.map((threshold, index) => (
          // Thresholds have no other identity than their place.
          // oxlint-disable-next-line no-array-index-key
          <Group key={index} gap={2} wrap="nowrap">
            <PercentInput
              aria-label={`Threshold ${index + 1}`}
              w={104}
              value={threshold}
              onChange={(next) => replace(index, next)}
              autoFocus={threshold === null}
              error={error !== null}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove threshold ${index + 1}`}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {value.length < mostThresholds && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...value, null])}
          >
            Add threshold
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
