// The screening page with a script: lists refresh in place, decisions take one key. Without it everything works by forms.
import "./screening_refine.js";
import "./screening_triage.js";
import "./screening_many.js";
