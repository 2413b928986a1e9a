import type { Sender } from './case';
import { ghost } from './ghost';
import { memberful } from './memberful';
import { patreon } from './patreon';
import { stripe } from './stripe';
import { wooCommerce } from './woocommerce';

/** Every sender whose events n8n verifies. */
export const senders: Sender[] = [stripe, memberful, patreon, ghost, wooCommerce];
