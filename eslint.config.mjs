import tseslint from 'typescript-eslint';
import { purity } from './tools/lint-purity.mjs';

/** These take more than a JSON contract can, or tie a handler to Fastify's objects. */
const RESTRICTED_IMPORTS = [
  {
    name: 'class-validator',
    importNames: ['IsOptional', 'ValidateNested'],
    message: 'Use Omittable, NestedObject or NestedList of #nest/dto (rules/api 1).',
  },
  {
    name: '@nestjs/swagger',
    importNames: ['PartialType'],
    message: 'Use AllOmittable of #nest/dto (rules/api 1).',
  },
  {
    name: '@nestjs/common',
    importNames: ['Next', 'Req', 'Request', 'Res', 'Response'],
    message: 'Take @Caller(), @CommandContext() or @CommandSource(); return answer(...) of #nest.',
  },
];

/**
 * Limits: a file of over 300 lines and a function of over 60 are
 * refused. A raised limit needs a decision record.
 */
export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'data/**',
      'coverage/**',
      'apps/*/src/metadata.ts',
      '**/generated/**',
      'docs/openapi/*.d.ts',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 60 }],
      'max-depth': ['error', 4],
      complexity: ['error', 15],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Nest's modules and controllers are classes that carry only decorators or delegate.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowWithDecorator: true, allowEmpty: true },
      ],
      // DTO classes are shapes with decorators: answers are plain objects of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      'no-restricted-imports': ['error', { paths: RESTRICTED_IMPORTS }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    // A handler knows nothing of the request and the reply.
    files: ['apps/*/src/**/*.controller.ts', 'apps/*/src/**/{commands,queries}/*.ts'],
    ignores: ['apps/cli/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...RESTRICTED_IMPORTS,
            {
              name: 'fastify',
              message: 'Parameter decorators and answer(...) of #nest stand between.',
            },
          ],
        },
      ],
    },
  },
  {
    // The one place that may build on them.
    files: ['libs/nest/src/http/body/dto-rules.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  purity,
  {
    // A whole life cycle told in one describe block is read top to bottom; only tests may be so long.
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // The matchers of Vitest (`expect.any(String)`, `expect.stringContaining(...)`) have the type `any`.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    // A program that a person runs in a terminal talks to that person.
    files: [
      'apps/cli/**/*.ts',
      'apps/standalone/**/*.ts',
      'test/bench/**/*.ts',
      'test/chaos/**/*.ts',
      'test/mutants/**/*.ts',
      'libs/embedded-event-store/src/main.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // Scripts of pages: browsers get them as they are, and no compiler looks at them.
    files: ['apps/*/assets/**/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(
        [
          ...['Blob', 'clearTimeout', 'crypto', 'document', 'DOMParser', 'fetch', 'FormData'],
          ...['IntersectionObserver', 'location', 'navigator', 'setTimeout'],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: {
      'max-lines': ['error', { max: 300 }],
      'no-undef': 'error',
      'no-unused-vars': 'error',
      eqeqeq: 'error',
    },
  },
);
