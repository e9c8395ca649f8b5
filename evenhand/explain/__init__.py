"""Why a model said what it said: attributions, baselines, checks of completeness and faithfulness."""
