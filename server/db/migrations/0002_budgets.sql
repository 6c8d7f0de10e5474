ALTER TABLE `calls` ADD `turn` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `max_output_tokens` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `hold_usd` real;--> statement-breakpoint
ALTER TABLE `replies` ADD `lost` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runs` ADD `sample_limit` integer;--> statement-breakpoint
ALTER TABLE `runs` ADD `budget_usd` real;