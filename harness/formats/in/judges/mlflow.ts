import { type Json, JsonObject } from '../../../../core/json.ts';
import type { ForeignJudge, ForeignScale, KeyPath, Loss } from '../../foreign-judge.ts';
import { MlflowJudge, MlflowScorer } from '../../shape/mlflow.ts';
import { hasKeys, type JudgeFormat } from './judge-format.ts';
import { foreignModel } from './model-name.ts';
import { readArguments } from './python-arguments.ts';
import { PythonCall, PythonName, type PythonValue } from './python-value.ts';
import { choiceScale, yesNo } from './scales.ts';
import { unread } from './unread.ts';
import { inOurWords } from './wording.ts';

const CALLS = ['make_judge'];
const KNOWN = ['name', 'instructions', 'model', 'description', 'feedback_value_type'];
const NESTED = 'instructions_judge_pydantic_data';

/** MLflow: make_judge in a Python text, its arguments as JSON, or a registered scorer. */
export const mlflow: JudgeFormat = {
  name: 'mlflow',
  sniff: (source) =>
    source.kind === 'python'
      ? source.python.calls(CALLS).length > 0
      : hasKeys(source.value, NESTED) || hasKeys(source.value, 'name', 'instructions'),
  read: (source) => {
    if (source.kind === 'python') {
      return source.python.calls(CALLS).map((call, index) => {
        const plain = new PythonCall({ ...call, named: { ...call.named, ...feedbackType(call) } });
        const { value, losses } = readArguments(source, index, plain, MlflowJudge, {
          order: ['name', 'instructions', 'model'],
          needed: ['name', 'instructions'],
        });
        return toJudge(value, [index], losses);
      });
    }
    if (!hasKeys(source.value, NESTED)) return [toJudge(source.as(MlflowJudge), [], [])];
    const { name, description, [NESTED]: inner } = source.as(MlflowScorer);
    return [toJudge({ ...inner, name, description }, [NESTED], [])];
  },
};

const TYPES: Record<string, string> = { bool: 'boolean', int: 'integer', float: 'number', str: 'string' };

/** A Python type as the JSON Schema that MLflow stores for it. */
function feedbackType({ named: { feedback_value_type: type } }: PythonCall): Record<string, PythonValue> {
  if (type instanceof PythonName && TYPES[type.name] !== undefined)
    return { feedback_value_type: [TYPES[type.name] ?? ''] };
  if (type instanceof PythonCall && /(^|\.)Literal$/.test(type.name))
    return { feedback_value_type: ['enum', ...type.positional] };
  return {};
}

function toJudge(judge: MlflowJudge, at: KeyPath, losses: Loss[]): ForeignJudge {
  const here = (key: string) => [...at, key];
  const worded = inOurWords(judge.instructions, here('instructions'), 'mustache', {
    inputs: 'input',
    outputs: 'output',
    expectations: 'reference',
    conversation: 'trace',
    trace: 'trace',
  });
  losses.push(...unread(judge, KNOWN, at), ...worded.losses);
  losses.push({
    at: here('instructions'),
    why: 'its text became guidelines; the reply that it asks for is not ours',
  });
  const description = (judge.description ?? '').trim();
  return {
    name: judge.name,
    question:
      description !== '' && description.length <= 1800
        ? description
        : `What does the output deserve on “${judge.name.slice(0, 200)}”?`,
    scale: levels(judge, here('feedback_value_type'), losses),
    evidence: worded.evidence,
    guidelines: worded.text,
    model: typeof judge.model === 'string' ? foreignModel(judge.model, here('model')) : null,
    params: {},
    losses,
  };
}

function levels(
  { feedback_value_type: type, instructions }: MlflowJudge,
  at: KeyPath,
  losses: Loss[],
): ForeignScale {
  const choices = choicesOf(type);
  const fit = choices.length >= 2 && choices.length <= 20 && new Set(choices).size === choices.length;
  if (fit && choices.every((choice) => choice.trim() !== '' && choice.length <= 200)) {
    const [yes] = choices.filter((choice) => /^(yes|pass|true|correct)$/i.test(choice));
    if (yes === undefined)
      losses.push({ at, why: 'the file says of no value that it passes: say so in pass' });
    return choiceScale(choices, yes === undefined ? [] : [yes], instructions);
  }
  if (kindOf(type) !== 'boolean')
    losses.push({
      at,
      why: `values of type ${kindOf(type)} have no anchors: the draft asks yes or no; write anchored levels if there are more`,
    });
  return yesNo();
}

function choicesOf(type: Json | undefined): string[] {
  const object = JsonObject.safeParse(type);
  const values =
    Array.isArray(type) && type[0] === 'enum' ? type.slice(1) : object.success ? object.data.enum : [];
  return Array.isArray(values) ? values.map(String) : [];
}

function kindOf(type: Json | undefined): string {
  const [first] = Array.isArray(type) ? type : [JsonObject.safeParse(type).data?.type];
  return typeof first === 'string' ? first : 'text';
}
