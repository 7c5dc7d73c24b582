"""Classifiers that scikit-learn takes for fitted, for the tests against its calibrators."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Logits(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose input are its logits."""

    def fit(self, z, y):
        self.classes_ = np.arange(z.shape[1])
        return self

    def decision_function(self, z):
        return z

    def predict(self, z):
        return z.argmax(axis=1)


class Probabilities(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose input are its probabilities."""

    def fit(self, p, y):
        self.classes_ = np.arange(p.shape[1])
        return self

    def predict_proba(self, p):
        return p

    def predict(self, p):
        return p.argmax(axis=1)
