import type { Linter } from 'eslint';

declare const layers: Linter.Config[];
export = layers;
