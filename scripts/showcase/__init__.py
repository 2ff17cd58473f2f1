"""The showcases of `make demo`: scenes of soft contact and of coupled joints, predicted and simulated."""
