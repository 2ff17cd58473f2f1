"""Pictures, where MuJoCo's package has them."""
