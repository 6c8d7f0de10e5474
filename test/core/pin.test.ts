import { describe, expect, it } from 'vitest';
import { isFloating, pinInstead } from '../../core/pin.ts';

describe('a name under which one fixed model answers', () => {
  it.each([
    ['openai', 'gpt-4.1-2025-04-14'],
    ['openai-responses', 'o3-2025-04-16'],
    ['openai', 'gpt-4-0613'],
    ['openai', 'gpt-3.5-turbo-0125'],
    ['openai', 'gpt-4-1106-preview'],
    ['openai', 'ft:gpt-4.1-2025-04-14:acme::Abc123'],
    ['anthropic', 'claude-sonnet-4-5-20250929'],
    ['anthropic', 'claude-3-opus@20240229'],
    ['anthropic', 'claude-2.1'],
    ['anthropic', 'claude-opus-4-6'],
    ['anthropic', 'claude-sonnet-5'],
    ['google', 'gemini-2.0-flash-001'],
    ['google', 'gemini-2.5-pro-preview-06-05'],
    ['google', 'gemini-2.5-flash-preview-09-2025'],
    ['google', 'gemini-exp-1206'],
    ['openai-compatible', 'llama-3.3-70b'],
    ['baseline', 'majority@1'],
  ])('%s %s is a pin', (provider, model) => {
    expect(isFloating(provider, model)).toBe(false);
  });
});

describe('a name that may move', () => {
  it.each([
    ['openai', 'gpt-4o', 'gpt-4o-2024-11-20'],
    ['openai', 'chatgpt-4o-latest', 'gpt-4o-2024-11-20'],
    ['openai-responses', 'gpt-5', 'gpt-5-2025-08-07'],
    ['openai', 'gpt-5-chat-latest', 'gpt-5-2025-08-07'],
    ['openai', 'o3-mini', 'o3-mini-2025-01-31'],
    ['openai', 'gpt-4-turbo-preview', 'ends in a date'],
    ['openai', 'gpt-4o-9999', 'ends in a date'],
    ['anthropic', 'claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
    ['anthropic', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['anthropic', 'claude-opus-4-1', 'claude-opus-4-1-20250805'],
    ['anthropic', 'claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
    ['google', 'gemini-2.0-flash', 'gemini-2.0-flash-001'],
    ['google', 'gemini-flash-latest', 'ends in a number or a date'],
    ['google', 'gemini-3-pro-preview', 'ends in a number or a date'],
  ])('%s %s is an alias, and a fixed name is suggested', (provider, model, instead) => {
    expect(isFloating(provider, model)).toBe(true);
    const suggested = pinInstead(provider, model);
    expect(suggested).toContain(instead);
    if (!suggested.includes(' ')) expect(isFloating(provider, suggested)).toBe(false);
  });
});
